import {
  type CSSVariablesResolver,
  createTheme,
  Input,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from '@mantine/core';
import classes from './theme.module.css';

const pine: MantineColorsTuple = [
  '#e9f7f4',
  '#d2ece7',
  '#a4dacf',
  '#72c6b6',
  '#4cb6a2',
  '#33a994',
  '#177a6e',
  '#0f6b62',
  '#0b5a52',
  '#064740',
];

const slate: MantineColorsTuple = [
  '#d7dee1',
  '#b4bfc5',
  '#93a1a8',
  '#6d7c84',
  '#435058',
  '#333f46',
  '#273137',
  '#1c2429',
  '#151c20',
  '#0f1518',
];

export const theme = createTheme({
  primaryColor: 'pine',
  primaryShade: { light: 7, dark: 6 },
  colors: { pine, dark: slate },
  fontFamily: "'Inter Variable', 'Inter Fallback', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  headings: { fontWeight: '650' },
  components: {
    // Mantine's close buttons have no accessible name.
    CloseButton: { defaultProps: { 'aria-label': 'Close' } },
    // A dialog's header must not become a banner landmark.
    Modal: {
      defaultProps: {
        centered: true,
        withCloseButton: false,
        attributes: { header: { role: 'presentation' } },
      },
    },
    Drawer: { defaultProps: { attributes: { header: { role: 'presentation' } } } },
    Input: Input.extend({ classNames: { input: classes.control } }),
  },
});

/** Mantine's dimmed texts and borders have less contrast than WCAG AA requires. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--page': '#f5f7f7',
    '--mantine-color-text': '#182024',
    '--mantine-color-dimmed': '#55636b',
    '--mantine-color-placeholder': '#68767e',
    '--mantine-color-error': '#b42323',
    '--mantine-color-anchor': pine[7],
    '--surface': '#ffffff',
    '--surface-sunken': '#eef2f2',
    '--hairline': '#dde4e5',
    '--control-border': '#7f8d95',
    '--mark': '#ffec99',
  },
  dark: {
    '--mantine-color-body': slate[8],
    '--page': slate[9],
    '--mantine-color-text': '#e4eaec',
    '--mantine-color-dimmed': '#9fadb4',
    '--mantine-color-placeholder': '#8d9ba2',
    '--mantine-color-error': '#ff9a92',
    '--mantine-color-anchor': pine[3],
    '--mantine-color-pine-light': 'rgba(51, 169, 148, 0.16)',
    '--mantine-color-pine-light-hover': 'rgba(51, 169, 148, 0.24)',
    '--mantine-color-pine-light-color': pine[2],
    '--surface': slate[8],
    '--surface-sunken': slate[7],
    '--hairline': '#2b363c',
    '--control-border': '#6b7b83',
    '--mark': '#4a3c00',
  },
});

/** `public/theme.js` reads the same key before the first paint. */
export const colorSchemeManager = localStorageColorSchemeManager({ key: 'color-scheme' });
