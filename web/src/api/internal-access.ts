const secret = import.meta.env.VITE_INTERNAL_ACCESS_SECRET;

/** Sent with every call that starts a session. */
export const internalAccess: Record<string, string> = secret ? { 'x-internal-access': secret } : {};
