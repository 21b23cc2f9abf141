/** Limits that both sides share. */
export const limits = {
  pageSize: 50,
  maxPageSize: 200,
  maxSearchResults: 500,
  /** Beyond this many matches a search stops counting and says so. */
  maxSearchCount: 10_000,
  /** GET /api/search counts and ranks up to this many matches in each group. */
  maxHits: 500,
  minStreetLineSearch: 2,
  /** The dashboard counts documents that await text extraction up to this number. */
  maxWaitingCount: 10_000,

  maxUploadBytes: 10 * 1024 * 1024,
  linkLifetimeSeconds: 15 * 60,

  minPasswordLength: 6,
  /** Long enough for any passphrase, short enough that hashing it costs nothing extra. */
  maxPasswordLength: 1024,
  recoveryCodes: 10,
  passkeyNameLength: 100,
  tokenNameLength: 100,
  maxTokenDays: 365,

  nameLength: 200,
  emailLength: 254,
  phoneLength: 50,
  streetLineLength: 200,
  placeLength: 100,
  /** In characters; the server also limits names to 255 bytes. */
  filenameLength: 255,
  descriptionLength: 2000,
  searchTermLength: 200,
} as const;
