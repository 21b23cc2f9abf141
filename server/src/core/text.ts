/** Such as '1 document' or '2,000 documents'. */
export const countText = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
