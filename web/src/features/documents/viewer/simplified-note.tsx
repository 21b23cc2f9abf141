import classes from './viewer.module.css';

/** Of what is not drawn as the program that made it would. */
export function SimplifiedNote() {
  return <p className={classes.note}>Simplified view; download for the exact layout</p>;
}
