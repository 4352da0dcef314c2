import { checkNavigation } from "./navigation.ts";

/** Leaves the site for an address that the server named. One that would run code is refused. */
export function leaveFor(address: string): void {
  globalThis.location.assign(checkNavigation(address, { external: true }));
}
