// Sets a process's clock back: node --import=past-clock.ts?behind=MILLISECONDS
const behind = Number(new URL(import.meta.url).searchParams.get('behind'));
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args: []) {
    super(...((args.length > 0 ? args : [RealDate.now() - behind]) as []));
  }
  static override now(): number {
    return RealDate.now() - behind;
  }
} as DateConstructor;
