/** Says in words what texts the patterns of the contract allow. */
export const PATTERN_LABELS: Readonly<Record<string, string>> = {
  "^[a-z0-9-]{3,40}$": "3 to 40 small letters, digits and hyphens",
};
