import type { LinkedDocument } from '@customer-database/contract/documents';
import { useFullscreenElement, useMergedRef } from '@mantine/hooks';
import { IconChevronLeft, IconChevronRight, IconMaximize, IconMinimize } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { actOnKey, type Keys, ToolButton } from './toolbar.tsx';
import { useNeighbours } from './use-neighbours.ts';
import classes from './viewer.module.css';

/** The same for all types of documents. */
export type FrameProps = {
  document: LinkedDocument & { customer_id?: number };
  /** The signed link that the document is fetched by; without one it is fetched in the session. */
  link?: string;
  /** What was searched for; empty if nothing. */
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
  /** Ctrl F. The browser's own is enough for documents that are drawn as a whole. */
  onFind?: () => void;
  children: ReactNode;
};

export function Frame(props: FrameProps & Parts) {
  const { document: shown, link, question, fill = false, start, end } = props;
  const { tools, rows, keys = {}, onFind, children } = props;
  const navigate = useNavigate();
  const { previous, next } = useNeighbours(shown);
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLElement>();
  const section = useRef<HTMLElement>(null);
  const merged = useMergedRef(ref, section);

  const open = (id: number | undefined) =>
    id !== undefined && navigate(paths.document(id), { state: { isFromViewer: true } });
  const openPrevious = () => open(previous?.id);
  const openNext = () => open(next?.id);

  const isFromViewer = useLocation().state?.isFromViewer === true;
  useEffect(() => {
    // Keys go on working. After the heading, which gets the focus on every arrival.
    if (fill || isFromViewer) queueMicrotask(() => section.current?.focus({ preventScroll: true }));
  }, [fill, isFromViewer]);

  useEffect(() => {
    // On a phone the facts fill the screen, and whoever comes from a search wants the hit.
    const isBelow = (section.current?.getBoundingClientRect().top ?? 0) > window.innerHeight / 3;
    if (question && isBelow) section.current?.scrollIntoView();
  }, [question]);

  /** Only while the focus is in the viewer, so that nobody triggers single letters by accident (WCAG 2.1.4). */
  function onKeyDown(event: KeyboardEvent): void {
    if (onFind && event.key === 'f' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onFind();
    } else {
      const ofAll = { k: openPrevious, j: openNext, ...(document.fullscreenEnabled && { f: toggle }) };
      actOnKey({ ...keys, ...ofAll }, event);
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
            <span className={classes.group}>
              <ToolButton
                label="Previous document"
                {...(previous && { title: `Previous document: ${previous.filename}` })}
                shortcut="k"
                icon={<IconChevronLeft size={20} />}
                disabled={!previous}
                onClick={openPrevious}
              />
              <ToolButton
                label="Next document"
                {...(next && { title: `Next document: ${next.filename}` })}
                shortcut="j"
                icon={<IconChevronRight size={20} />}
                disabled={!next}
                onClick={openNext}
              />
            </span>
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
