/** The document made the process exceed its limits or crash. */
export class ExtractionFailed extends Error {
  override name = 'ExtractionFailed';
}

/** Reading took too long, perhaps because the machine is busy: a retry may succeed. */
export class ExtractionTimedOut extends ExtractionFailed {
  override name = 'ExtractionTimedOut';
}

/** No document caused this: the machine may lack memory or processes. */
export class ExtractorNotStarted extends Error {
  override name = 'ExtractorNotStarted';
}

/** A shutdown ended the reading: the document may be fine. */
export class ExtractorClosed extends Error {
  override name = 'ExtractorClosed';
}
