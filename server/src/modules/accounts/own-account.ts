/** For the calls that users need before they may do anything else. */
export const ownAccount = {
  /** To replace a temporary password. */
  always: { permission: 'profile.manage', beforePasswordChange: true, beforeSecondFactor: true },
  /** To set up a second factor where one is required. */
  withoutSecondFactor: { permission: 'profile.manage', beforeSecondFactor: true },
} as const;
