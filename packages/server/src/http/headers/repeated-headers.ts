import { errors } from "../../platform/core/errors/index.ts";

/** Headers that must have one value. Node uses the first of several, and a proxy may have used another one. */
const SINGLE = ["host", "authorization", "content-type"];

/** Throws `invalid_request` for a request with two `Host`, `Authorization` or `Content-Type` headers (RFC 9112, 3.2). */
export function refuseRepeatedHeaders({ rawHeaders }: { rawHeaders: readonly string[] }): void {
  for (const single of SINGLE) {
    let count = 0;
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index] ?? "";
      if (name.length === single.length && name.toLowerCase() === single) count += 1;
    }
    if (count > 1) throw errors.invalidRequest(`A request may have one ${single} header only.`);
  }
}
