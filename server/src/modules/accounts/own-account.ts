/** Access rules for the calls that a restricted session needs to lift its restriction. */
export const ownAccount = {
  /** To replace a temporary password. */
  always: { permission: 'profile.manage', beforePasswordChange: true, beforeSecondFactor: true },
  /** To set up a second factor where one is required. */
  withoutSecondFactor: { permission: 'profile.manage', beforeSecondFactor: true },
} as const;
