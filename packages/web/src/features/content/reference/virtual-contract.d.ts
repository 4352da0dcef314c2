declare module "virtual:contract" {
  export const groups: readonly { name: string; slug: string }[];
}

declare module "virtual:contract/calls" {
  export const info: import("./types.ts").ContractInfo;
  export const tags: readonly import("./types.ts").TagEntry[];
  export const details: Readonly<Record<string, () => Promise<{ default: import("./types.ts").TagDetail }>>>;
}
