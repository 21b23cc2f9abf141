import { Parser } from 'htmlparser2';

const cells = new Set(['td', 'th']);
const inline = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const withoutText = new Set(['head', 'noscript', 'script', 'style', 'template', 'title']);

/** The parser takes quadratic time for deep nesting. */
const maxDepth = 1_000;

/** The text that a browser shows. */
export function textOfHtml(html: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let hiddenDepth = 0;
  const parser = new Parser({
    onopentagname(name) {
      depth += 1;
      if (depth > maxDepth) throw new Error('the elements are nested too deeply');
      if (withoutText.has(name)) hiddenDepth += 1;
      else if (!inline.has(name) && !cells.has(name)) pieces.push('\n');
    },
    ontext(text) {
      if (hiddenDepth === 0) pieces.push(text.replace(/\s+/g, ' '));
    },
    onclosetag(name) {
      depth -= 1;
      if (withoutText.has(name)) hiddenDepth -= 1;
      else if (cells.has(name)) pieces.push('\t');
      else if (!inline.has(name) && name !== 'br') pieces.push('\n');
    },
  });
  parser.end(html);
  return pieces.join('');
}
