/** Where backends answer: at this server and in its private networks, or beyond them. */
export const HOSTED = ["here", "elsewhere"] as const;
/** Where one backend answers. */
export type Hosted = (typeof HOSTED)[number];

/** Returns whether an address answers here or elsewhere. Never rejects. */
export type Locate = (baseUrl: string) => Promise<Hosted>;
