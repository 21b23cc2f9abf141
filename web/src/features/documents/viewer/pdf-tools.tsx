import { IconArrowAutofitHeight, IconArrowAutofitWidth, IconRotateClockwise } from '@tabler/icons-react';
import { PageField } from './page-field.tsx';
import type { Pdf, PdfState } from './pdf-engine.ts';
import { FindAndPrint, type Keys, ToolButton, ZoomTools } from './toolbar.tsx';
import classes from './viewer.module.css';

export const pdfKeys = (pdf: Pdf): Keys => ({
  '+': () => pdf.zoom(1),
  '-': () => pdf.zoom(-1),
  r: () => pdf.rotate(),
});

/** Without a PDF, which is still loading, the tools are disabled, and nothing moves when it arrives. */
type PdfToolsProps = {
  pdf: Pdf | undefined;
  state: PdfState | undefined;
  onFind: () => void;
  onPrint: () => void;
};

export function PdfTools({ pdf, state, onFind, onPrint }: PdfToolsProps) {
  return (
    <>
      <PageField page={state?.page} pages={pdf?.document.numPages} onPage={(page) => pdf?.goTo(page)} />
      <ZoomTools scale={state?.scale} onZoom={pdf && ((steps) => pdf.zoom(steps))} />
      <span className={classes.group}>
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
        <ToolButton
          label="Rotate"
          shortcut="r"
          icon={<IconRotateClockwise size={20} />}
          onClick={pdf && (() => pdf.rotate())}
        />
      </span>
      <FindAndPrint onFind={pdf && onFind} onPrint={pdf && onPrint} />
    </>
  );
}
