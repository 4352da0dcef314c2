import type { ModelRequest } from "@feather/sdk";
import { plural } from "@lingui/core/macro";

/** How many requesting organizations are listed by name. */
const MAX_NAMED_ORGANIZATIONS = 3;

/** The first requesting organizations by name, and the number of others. */
export function RequestingOrganizations({ request }: { request: ModelRequest }) {
  const shown = request.organizations.slice(0, MAX_NAMED_ORGANIZATIONS);
  const more = request.request_count - shown.length;
  return (
    <span className="small user-text">
      {shown.join(", ")}
      {more > 0 ? ` ${plural(more, { one: "and # more", other: "and # more" })}` : null}
    </span>
  );
}
