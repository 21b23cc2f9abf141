import { onlyWholeWords, parseQuestion, type Term } from '@customer-database/words/question';

/** A term that the server found as a word of the document is not marked inside of other words, on whichever page. */
export function termsToMark(question: string, insideOfWords = false): Term[] {
  const terms = parseQuestion(question);
  return insideOfWords ? terms : onlyWholeWords(terms);
}
