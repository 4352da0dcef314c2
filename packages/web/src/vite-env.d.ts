interface ImportMetaEnv {
  /** Whether the build contains the pseudo-locale. */
  readonly PSEUDO_LOCALE: boolean;
}
