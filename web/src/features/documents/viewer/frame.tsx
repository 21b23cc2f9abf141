import type { Document, LinkedDocument } from '@customer-database/contract/documents';
import { useFullscreenElement, useMergedRef } from '@mantine/hooks';
import { IconMaximize, IconMinimize } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { actOnKey, type Keys, StepButtons, ToolButton } from './toolbar.tsx';
import { useNeighbours } from './use-neighbours.ts';
import classes from './viewer.module.css';

/** Common to all types of documents. */
export type FrameProps = {
  document: LinkedDocument & { customer_id?: number };
  /** The signed link that the document is fetched by; without one it is fetched in the session. */
  link?: string;
  /** The search that led here; empty without one. */
  question: string;
  /** Fills the window. */
  fill?: boolean;
  /** In the bar, before and after the tools. */
  start?: ReactNode;
  end?: ReactNode;
};

type Parts = {
  tools?: ReactNode;
  /** Below the toolbar. */
  rows?: ReactNode;
  keys?: Keys;
  /** Ctrl F and Ctrl P. The browser's own would find and print the screen. */
  onFind?: () => void;
  onPrint?: () => void;
  children: ReactNode;
};

export function Frame(props: FrameProps & Parts) {
  const { document: shown, link, question, fill = false, start, end } = props;
  const { tools, rows, keys = {}, onFind, onPrint, children } = props;
  const navigate = useNavigate();
  const { previous, next } = useNeighbours(shown);
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLElement>();
  const section = useRef<HTMLElement>(null);
  const merged = useMergedRef(ref, section);

  const open = (target: Document | undefined) =>
    target && navigate(paths.document(target.id), { state: { isFromViewer: true } });

  const neighbourStep = (label: string, shortcut: string, target: Document | undefined) => ({
    label,
    shortcut,
    title: target ? `${label}: ${target.filename}` : label,
    onClick: target && (() => open(target)),
  });

  const isFromViewer = useLocation().state?.isFromViewer === true;
  useEffect(() => {
    // Keeps the keys working. Runs after the screen has focused its heading.
    if (fill || isFromViewer) queueMicrotask(() => section.current?.focus({ preventScroll: true }));
  }, [fill, isFromViewer]);

  useEffect(() => {
    // On a phone the facts fill the screen, but a search leads to the hit.
    const isBelow = (section.current?.getBoundingClientRect().top ?? 0) > window.innerHeight / 3;
    if (question && isBelow) section.current?.scrollIntoView();
  }, [question]);

  /** Only while the focus is in the viewer: single letters must not act by accident (WCAG 2.1.4). */
  function onKeyDown(event: KeyboardEvent): void {
    const withControl = event.ctrlKey || event.metaKey ? { f: onFind, p: onPrint } : {};
    const act = new Map(Object.entries(withControl)).get(event.key);
    if (act) {
      event.preventDefault();
      act();
    } else {
      const common = { k: () => open(previous), j: () => open(next) };
      actOnKey({ ...keys, ...common, ...(document.fullscreenEnabled && { f: toggle }) }, event);
    }
  }

  return (
    <section
      ref={merged}
      className={classes.frame}
      data-fill={fill || undefined}
      aria-label="Document"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <div className={classes.bar}>
        {start}
        <div className={classes.tools} role="toolbar" aria-label="Tools">
          {link === undefined && (
            <StepButtons
              direction="horizontal"
              previous={neighbourStep('Previous document', 'k', previous)}
              next={neighbourStep('Next document', 'j', next)}
            />
          )}
          {tools}
          {document.fullscreenEnabled && (
            <ToolButton
              label={fullscreen ? 'Leave full screen' : 'Full screen'}
              shortcut="f"
              icon={fullscreen ? <IconMinimize size={20} /> : <IconMaximize size={20} />}
              className={classes.end}
              onClick={toggle}
            />
          )}
        </div>
        {end}
      </div>
      {rows}
      <div className={classes.content}>{children}</div>
    </section>
  );
}
