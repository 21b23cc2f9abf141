import { z } from 'zod';
import * as field from './fields.ts';
import { limits } from './limits.ts';
import { passkeyProof } from './passkeys.ts';
import { user } from './users.ts';

const passwordTooShort = `Password must be at least ${limits.minPasswordLength} characters`;
const signInPassword = field.password('Password', 'Password is required', passwordTooShort);

export const loginInput = z.strictObject({ email: field.email, password: signInPassword });
export type LoginInput = z.infer<typeof loginInput>;

export const sessionResponse = z.object({
  token: z.string(),
  user,
  require_password_change: z.boolean().optional(),
});
export type SessionResponse = z.infer<typeof sessionResponse>;

export const loginResponse = z.union([
  sessionResponse,
  z.object({ mfa_required: z.literal(true), mfa_token: z.string() }),
]);

export const registerInput = z.strictObject({
  name: field.requiredLine('Name', limits.nameLength),
  email: field.email,
  password: signInPassword,
  setup_code: field.requiredLine('Setup code', 100),
});
export type RegisterInput = z.infer<typeof registerInput>;
export const registerResponse = z.object({ message: z.string(), user });

export const verifyResponse = z.object({ user });

const allRequired = 'All fields are required';

export const changePasswordInput = z.strictObject({
  currentPassword: field.password('Current password', allRequired, 'The current password is not correct'),
  newPassword: field.password(
    'New password',
    allRequired,
    `New password must be at least ${limits.minPasswordLength} characters`,
  ),
  revoke_tokens: field.revokeTokens,
});
export type ChangePasswordInput = z.infer<typeof changePasswordInput>;

/** Six digits from the app, or a recovery code. */
const mfaCode = field.requiredLine('MFA code', 64);

export const mfaVerifyLoginInput = z.strictObject({
  mfa_token: field.requiredLine('MFA token', 200),
  code: mfaCode,
});
export type MfaVerifyLoginInput = z.infer<typeof mfaVerifyLoginInput>;

export const mfaSetupResponse = z.object({
  secret: z.string(),
  otpauth_url: z.string(),
  qr_code: z.string().describe('A data URL of a picture'),
});
export type MfaSetupResponse = z.infer<typeof mfaSetupResponse>;

export const mfaSetupVerifyInput = z.strictObject({ code: mfaCode });
export const mfaSetupVerifyResponse = z.object({ message: z.string(), recovery_codes: z.array(z.string()) });

export const mfaDisableInput = z.strictObject({ password: signInPassword, code: mfaCode });
export type MfaDisableInput = z.infer<typeof mfaDisableInput>;

const countOf = (proof: object) => Object.values(proof).filter((given) => given !== undefined).length;

/** One proof that the caller is the user of the session. */
export const confirmInput = z
  .strictObject({
    password: signInPassword.optional(),
    code: mfaCode.optional(),
    passkey: passkeyProof.optional(),
  })
  .refine((proof) => countOf(proof) > 0, { path: ['password'], error: 'Password is required' })
  .refine((proof) => countOf(proof) < 2, {
    path: ['code'],
    error: 'Send one of password, code and passkey',
  });
export type ConfirmInput = z.infer<typeof confirmInput>;

export const sessionListResponse = z.object({
  sessions: z.array(
    z.object({
      id: z.int(),
      device: z.string().nullable().describe("Such as 'Firefox on Windows'"),
      address: z.string(),
      created_at: field.timestamp,
      last_seen_at: field.timestamp,
      is_current: z.boolean().describe('The session of this call'),
    }),
  ),
});
export type SessionListResponse = z.infer<typeof sessionListResponse>;

export const endOtherSessionsQuery = z.strictObject({
  revoke_tokens: z
    .enum(['true', 'false'], { error: 'revoke_tokens must be true or false' })
    .default('false')
    .describe('Also revokes your API tokens'),
});

export const oidcStartQuery = z.strictObject({
  confirm: z
    .enum(['true', 'false'], { error: 'confirm must be true or false' })
    .default('false')
    .describe('Confirms the current session: the user must sign in at the provider again'),
});

const callbackPart = z.string({ error: 'The answer of the provider is not valid' }).max(4000).optional();

/** The standard lets providers add parameters. */
export const oidcCallbackQuery = z
  .object({ code: callbackPart, state: callbackPart, iss: callbackPart, error: callbackPart })
  .catchall(z.string({ error: 'The answer of the provider is not valid' }).max(4000));

export const setupStateResponse = z.object({
  needs_first_admin: z.boolean().describe('True while no user exists: register then makes the first admin'),
  passkeys: z
    .boolean()
    .describe('Whether passkeys work here: browsers refuse them where the host is an IP address'),
  company_sign_in: z.string().nullable().describe('The name of the company sign-in, if there is one'),
  password_sign_in: z.boolean().describe('False where users sign in through the company only'),
});
