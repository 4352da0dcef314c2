/** Returns the `user-agent` of the program's requests: its name and version. */
export const toUserAgent = (version: string): string => `feather-cli/${version}`;
