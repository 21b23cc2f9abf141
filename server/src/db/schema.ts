import type { Changes } from '@customer-database/contract/activity-response';
import type { TextState } from '@customer-database/contract/documents';
import type { Role, TokenScope } from '@customer-database/contract/permissions';
import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';

/** Set on insert, never updated. */
type Immutable<T> = ColumnType<T, T, never>;

type UsersTable = {
  id: GeneratedAlways<number>;
  email: string;
  name: string;
  phone_number: string | null;
  role: Role;
  password_hash: string;
  password_expires_at: Date | null;
  must_change_password: Generated<boolean>;
  joined_at: Date | null;
  link_generation: Generated<number>;
  company_issuer: string | null;
  company_subject: string | null;
  password_allowed_until: Date | null;
  chose_email: Generated<boolean>;
  mfa_secret: Buffer | null;
  mfa_pending_secret: Buffer | null;
  mfa_last_step: number | null;
  passkey_handle: GeneratedAlways<string>;
  disabled_at: Date | null;
  last_sign_in_at: Date | null;
  last_seen_at: Date | null;
  created_at: Immutable<Date>;
  updated_at: Date;
};

type SessionsTable = {
  id: GeneratedAlways<number>;
  token_hash: Immutable<Buffer>;
  user_id: Immutable<number>;
  created_at: Immutable<Date>;
  last_seen_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  confirmed_at: Generated<Date>;
  has_second_factor: Generated<boolean>;
  address: Immutable<string>;
  device: Immutable<string | null>;
  device_hash: Immutable<Buffer | null>;
};

type MfaChallengesTable = {
  token_hash: Immutable<Buffer>;
  user_id: Immutable<number>;
  expires_at: Immutable<Date>;
  attempts: Generated<number>;
  used_at: Date | null;
};

type RecoveryCodesTable = { user_id: number; code_hash: Buffer; used_at: Date | null };

type PasskeysTable = {
  id: GeneratedAlways<number>;
  user_id: Immutable<number>;
  name: string;
  credential_id: Immutable<string>;
  public_key: Immutable<Buffer>;
  counter: number;
  transports: Immutable<string[]>;
  created_at: Immutable<Date>;
  last_used_at: Date | null;
};

type ApiTokensTable = {
  id: GeneratedAlways<number>;
  user_id: Immutable<number>;
  name: Immutable<string>;
  scope: Immutable<TokenScope>;
  token_hash: Immutable<Buffer>;
  has_second_factor: Immutable<boolean>;
  created_at: Immutable<Date>;
  expires_at: Immutable<Date>;
  last_used_at: Date | null;
  last_address: string | null;
};

type UsedChallengesTable = { challenge_hash: Immutable<Buffer>; expires_at: Immutable<Date> };

type ThrottlesTable = { key: string; failures: number; last_failure_at: Date; blocked_until: Date };

type CustomersTable = {
  id: GeneratedAlways<number>;
  name: string;
  dob: string | null;
  email: string | null;
  phone_number: string | null;
  street_line: string | null;
  city: string | null;
  province: string | null;
  country: string | null;
  created_at: Immutable<Date>;
  updated_at: Date;
  name_search: GeneratedAlways<string>;
  email_search: GeneratedAlways<string | null>;
  phone_search: GeneratedAlways<string | null>;
  street_line_search: GeneratedAlways<string | null>;
  city_search: GeneratedAlways<string | null>;
  province_search: GeneratedAlways<string | null>;
  country_search: GeneratedAlways<string | null>;
  words: Generated<string>;
};

type DocumentsTable = {
  id: GeneratedAlways<number>;
  customer_id: number;
  filename: string;
  filename_key: string;
  description: string | null;
  mime_type: string;
  charset: string | null;
  is_protected: Generated<boolean>;
  file_size: number;
  sha256: Buffer;
  /** Null in some documents of early versions, which SHA-256 verifies. */
  crc32: number | null;
  storage_key: Immutable<string>;
  uploaded_at: Immutable<Date>;
  uploaded_by: number | null;
  /** Chosen by the client; null if it sent none. */
  upload_id: ColumnType<string | null, string | null | undefined, never>;
  /** As the upload named it: the document may have been moved since. */
  upload_customer_id: ColumnType<number | null, number | null | undefined, never>;
  filename_search: GeneratedAlways<string>;
  words: Generated<string>;
};

type DocumentTextsTable = {
  document_id: Immutable<number>;
  uploaded_by: GeneratedAlways<number>;
  state: Generated<TextState>;
  reason: string | null;
  page_count: number | null;
  language: string | null;
  pictures_left: Generated<number>;
  claimed_until: Date | null;
  attempts: Generated<number>;
  read_at: Date | null;
  /** Those of the document and of its customer. Triggers keep them. */
  words: GeneratedAlways<string>;
};

type ReadingTurnsTable = {
  kind: Immutable<'text' | 'pictures' | 'previews'>;
  uploaded_by: Immutable<number>;
  due_at: Date;
};

type DocumentPagesTable = {
  document_id: Immutable<number>;
  page: Immutable<number>;
  content: string;
  words: string;
  is_picture: Generated<boolean>;
  boxes: JSONColumnType<[string, number, number, number, number][]> | null;
};

/** What is made from a document. */
export type FileKind = 'thumbnail' | 'preview';

type DocumentFilesTable = {
  document_id: Immutable<number>;
  kind: Immutable<FileKind>;
  storage_key: string | null;
  file_size: number | null;
  sha256: Buffer | null;
  made_at: Date | null;
  claimed_until: Date | null;
  attempts: Generated<number>;
  wanted_by: number | null;
  wanted_at: Date | null;
};

export type SubjectType =
  | 'user'
  | 'token'
  | 'customer'
  | 'document'
  | 'route'
  | 'backup'
  | 'check'
  | 'activity';

type ActivityTable = {
  id: GeneratedAlways<number>;
  at: Immutable<Date>;
  action: Immutable<string>;
  actor_id: Immutable<number | null>;
  actor_label: Immutable<string>;
  subject_type: Immutable<string>;
  subject_id: Immutable<number | null>;
  subject_label: string | null;
  address: Immutable<string | null>;
  request_id: Immutable<string | null>;
  detail: JSONColumnType<Record<string, unknown>> | null;
  shown: Immutable<boolean>;
  customer_id: Immutable<number | null>;
  changes: JSONColumnType<Changes> | null;
  /** Null once the values are erased. */
  salt: Buffer | null;
  mac: Immutable<Buffer>;
  erased: ColumnType<Buffer | null, never, Buffer>;
};

/** The newest seal that went with its rows, and how many rows went in all. */
export type RemovedActivity = { seal: number; hash: string; through_id: number; total: number };

type ActivitySealsTable = {
  id: Immutable<number>;
  kind: Immutable<'opening' | 'rows' | 'removal'>;
  sealed_at: Immutable<Date>;
  through_id: Immutable<number>;
  row_count: Immutable<number>;
  entries: Immutable<Buffer | null>;
  removed: JSONColumnType<RemovedActivity> | null;
  hash: Immutable<Buffer>;
};

type ActivityForwardingTable = {
  id: Generated<number>;
  seal_id: number;
  seal_hash: Buffer;
  number: number;
  mac: Buffer;
};

type CountedRefusalsTable = {
  key: string;
  action: 'access.denied' | 'link.refused';
  actor_id: number | null;
  actor_label: string;
  subject_type: SubjectType;
  address: string | null;
  more: Generated<number>;
  next_row_at: Date;
};

type DocumentWordsTable = {
  document_id: number;
  section: Generated<number>;
  words: string;
};

type KnownWordsTable = { word: string };

type PreparedWordsTable = {
  kind: 'customers' | 'documents' | 'pages';
  tokenizer: Generated<number>;
  next_id: Generated<number>;
};

type CollectedWordsTable = {
  only_row: Generated<boolean>;
  customer_id: Generated<number>;
  document_id: Generated<number>;
};

type RecordCountsTable = { noun: string; period: Date; slot: number; records: number };

export type Schema = {
  users: UsersTable;
  sessions: SessionsTable;
  mfa_challenges: MfaChallengesTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  api_tokens: ApiTokensTable;
  used_challenges: UsedChallengesTable;
  throttles: ThrottlesTable;
  customers: CustomersTable;
  documents: DocumentsTable;
  document_texts: DocumentTextsTable;
  reading_turns: ReadingTurnsTable;
  document_pages: DocumentPagesTable;
  document_words: DocumentWordsTable;
  document_files: DocumentFilesTable;
  known_words: KnownWordsTable;
  prepared_words: PreparedWordsTable;
  collected_words: CollectedWordsTable;
  activity: ActivityTable;
  activity_seals: ActivitySealsTable;
  activity_forwarding: ActivityForwardingTable;
  counted_refusals: CountedRefusalsTable;
  record_counts: RecordCountsTable;
};
