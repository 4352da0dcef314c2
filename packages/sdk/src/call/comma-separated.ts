/** One of some values, or several of them with commas between: `"warm"`, `"warm,loading"`. */
export type CommaSeparated<T extends string> = T | `${T},${string}`;
