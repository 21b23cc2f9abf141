import { hitsIn, markHits, type Part } from '@customer-database/words/hits';
import type { Term } from '@customer-database/words/question';
import { Fragment } from 'react';
import classes from './marked-text.module.css';

/** Splits the text into hits of the terms and the parts between them. */
export const partsOf = (text: string, terms: Term[]): Part[] => markHits(text, hitsIn(text, terms));

export function MarkedText({ parts }: { parts: Part[] }) {
  return parts.map(({ text, hit }, index) => {
    const Tag = hit ? 'mark' : Fragment;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other key
      <Tag key={index} {...(hit ? { className: classes.hit } : {})}>
        {text}
      </Tag>
    );
  });
}
