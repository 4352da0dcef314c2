/** Renders `version.ts`: the version in the package's manifest. */
export function renderVersionFile(manifest: string): string {
  const { version } = JSON.parse(manifest) as { version: string };
  return `/** Version of this package. Generated; do not edit. */
export const VERSION = ${JSON.stringify(version)};
`;
}
