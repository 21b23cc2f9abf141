import { hitsIn, markHits, type Part } from '@customer-database/words/hits';
import type { Term } from '@customer-database/words/question';
import { Fragment } from 'react';
import classes from './marked-text.module.css';

/** The text in parts, with what the terms ask for as hits. */
export const partsOf = (text: string, terms: Term[]): Part[] => markHits(text, hitsIn(text, terms));

export function MarkedText({ parts }: { parts: Part[] }) {
  return parts.map(({ text, hit }, index) => {
    const Tag = hit ? 'mark' : Fragment;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have nothing but their position
      <Tag key={index} {...(hit ? { className: classes.hit } : {})}>
        {text}
      </Tag>
    );
  });
}
