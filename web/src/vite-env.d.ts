interface ImportMetaEnv {
  readonly VITE_API_URL?: string;
  readonly VITE_INTERNAL_ACCESS_SECRET?: string;
}
