import {
  IconArrowAutofitHeight,
  IconArrowAutofitWidth,
  IconMinus,
  IconPlus,
  IconRotateClockwise,
  IconSearch,
} from '@tabler/icons-react';
import { PageField } from './page-field.tsx';
import type { Pdf, PdfState } from './pdf-engine.ts';
import { type Keys, ToolButton } from './toolbar.tsx';
import classes from './viewer.module.css';

export const pdfKeys = (pdf: Pdf): Keys => ({
  '+': () => pdf.zoom(1),
  '-': () => pdf.zoom(-1),
  r: () => pdf.rotate(),
});

/** Without a PDF, which is still loading, the tools are disabled, and nothing moves when it arrives. */
type PdfToolsProps = { pdf: Pdf | undefined; state: PdfState | undefined; onFind: () => void };

export function PdfTools({ pdf, state, onFind }: PdfToolsProps) {
  return (
    <>
      <PageField page={state?.page} pages={pdf?.document.numPages} onPage={(page) => pdf?.goTo(page)} />
      <span className={classes.group}>
        <ToolButton
          label="Zoom out"
          shortcut="-"
          icon={<IconMinus size={20} />}
          onClick={pdf && (() => pdf.zoom(-1))}
        />
        <span className={`${classes.figures} ${classes.wideOnly}`}>
          {state ? `${Math.round(state.scale * 100)} %` : '–'}
        </span>
        <ToolButton
          label="Zoom in"
          shortcut="+"
          icon={<IconPlus size={20} />}
          onClick={pdf && (() => pdf.zoom(1))}
        />
        <ToolButton
          label="Fit width"
          icon={<IconArrowAutofitWidth size={20} />}
          pressed={state?.fit === 'page-width'}
          onClick={pdf && (() => pdf.fit('page-width'))}
        />
        <ToolButton
          label="Fit page"
          icon={<IconArrowAutofitHeight size={20} />}
          pressed={state?.fit === 'page-fit'}
          className={classes.wideOnly}
          onClick={pdf && (() => pdf.fit('page-fit'))}
        />
      </span>
      <span className={classes.group}>
        <ToolButton
          label="Rotate"
          shortcut="r"
          icon={<IconRotateClockwise size={20} />}
          onClick={pdf && (() => pdf.rotate())}
        />
        <ToolButton label="Find" shortcut="Ctrl+F" icon={<IconSearch size={20} />} onClick={pdf && onFind} />
      </span>
    </>
  );
}
