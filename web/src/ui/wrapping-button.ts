/** Styles of a button whose text an operator chose: it wraps instead of being cut off. */
export const wrappingButton = {
  root: { height: 'auto', minHeight: 'var(--button-height)', paddingBlock: 4 },
  label: { height: 'auto', lineHeight: 1.35, whiteSpace: 'normal', overflowWrap: 'anywhere' },
} as const;
