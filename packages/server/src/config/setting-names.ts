/** Variables of the command line and of builds, which may be in the server's environment too. */
export const OTHER_VARIABLES: readonly string[] = [
  "FEATHER_API_KEY",
  "FEATHER_BASE_URL",
  "FEATHER_CACHE_DIR",
  "FEATHER_CONFIG_DIR",
  "FEATHER_DEBUG",
  "FEATHER_FORCE_TTY",
  "FEATHER_NO_HISTORY",
  "FEATHER_NO_UPDATE_NOTICE",
  "FEATHER_PROFILE",
  "FEATHER_PSEUDO_LOCALE",
  "FEATHER_REPOSITORY",
  "FEATHER_TOKEN",
];
/** Matches variables that Kubernetes sets in every container for a service called `feather`. */
const SERVICE_VARIABLE = /^FEATHER_(SERVICE_|PORT_\d)/;

/** Returns error messages for variables that look like settings but are none, which are probably misspelt. */
export function describeUnknownVariables(
  env: Readonly<Record<string, unknown>>,
  settings: readonly string[],
): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith("FEATHER_") && !SERVICE_VARIABLE.test(name))
    .filter((name) => !settings.includes(name) && !OTHER_VARIABLES.includes(name))
    .map((name) => `${name} is not a setting.${suggestName(name, settings)}`);
}

/** Returns ` Did you mean X?`, or an empty string if no name is similar. */
export function suggestName(name: string, names: readonly string[]): string {
  const limit = Math.max(2, Math.floor(name.length / 6));
  const [nearest] = names
    .map((candidate) => ({ candidate, distance: editDistance(name, candidate) }))
    .filter(({ distance }) => distance <= limit)
    .sort((a, b) => a.distance - b.distance);
  return nearest ? ` Did you mean ${nearest.candidate}?` : "";
}

/** Returns the Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
