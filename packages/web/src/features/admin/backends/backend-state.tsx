import { State } from "#/components/ui/bits.tsx";
import { stateOf } from "./backend-words.ts";
import type { Backend } from "./queries.ts";

/** The state of a backend as a coloured label. */
export function BackendState({ backend }: { backend: Pick<Backend, "state"> }) {
  const { tier, words } = stateOf(backend);
  return (
    <span className="small">
      <State tier={tier}>{words}</State>
    </span>
  );
}
