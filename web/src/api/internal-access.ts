const secret = import.meta.env.VITE_INTERNAL_ACCESS_SECRET;

/** For every call that begins a session. */
export const internalAccess: Record<string, string> = secret ? { 'x-internal-access': secret } : {};
