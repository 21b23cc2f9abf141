/** Makes PDFs that look like a Word document. */
export type Converter = {
  /** One document at a time. */
  convert(bytes: Buffer, extension: '.docx' | '.doc'): Promise<Buffer>;
  close(): Promise<void>;
};

/** The document cannot be converted, or not within the limits. */
export class ConversionFailed extends Error {
  override name = 'ConversionFailed';
}

/** It took too long, perhaps because the machine is busy: a retry may succeed. */
export class ConversionTimedOut extends ConversionFailed {
  override name = 'ConversionTimedOut';
}

/** No document caused this. At the start, the message says what to do. */
export class ConverterUnavailable extends Error {
  override name = 'ConverterUnavailable';
}

/** A shutdown ended the conversion: the document may be fine. */
export class ConverterClosed extends Error {
  override name = 'ConverterClosed';
}
