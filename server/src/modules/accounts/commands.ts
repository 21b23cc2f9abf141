/** The public surface of this module, besides its routes and jobs; a test enforces it. */

export { warnAdmins } from './alerts/alerts.ts';
export { inviteUser, withdrawInvitation } from './invitations/commands.ts';
export { unlinkOidcUser } from './oidc/link-account.ts';
export { findUserByEmail, findUserById, hasUsers } from './repo.ts';
export { findSignedIn } from './sessions/commands.ts';
export { createConfiguredAdmin, needsFirstAdmin, setupCode } from './sign-in/first-admin.ts';
export { findTokenUser, isApiToken } from './tokens/commands.ts';
export {
  endSessionsOf,
  findUserIdByEmail,
  listAllUsers,
  setUserDisabled,
  updateUser,
} from './users/commands.ts';
export { createAdmin } from './users/create-admin.ts';
export {
  createAdminWithTemporaryPassword,
  resetMfa,
  resetPassword,
  unlock,
} from './users/reset-credentials.ts';
