// For a process that is to live some time ago: node --import=past-clock.ts?behind=MILLISECONDS
const behind = Number(new URL(import.meta.url).searchParams.get('behind'));
const Present = Date;

globalThis.Date = class extends Present {
  constructor(...given: []) {
    super(...((given.length > 0 ? given : [Present.now() - behind]) as []));
  }
  static override now(): number {
    return Present.now() - behind;
  }
} as DateConstructor;
