import type { BackendKey } from "@feather/sdk";
import type { Column } from "../output/table.ts";
import { formatDayTime, formatRfc3339 } from "../output/time.ts";

const PAINT = { ready: "green", resting: "amber", refused: "red" } as const;

/** The columns of the keys of a backend. */
export const BACKEND_KEY_COLUMNS: readonly Column<BackendKey>[] = [
  { header: "LABEL", cell: ({ label }) => label, paint: (text, style) => style.bold(text) },
  { header: "KEY", cell: ({ last_characters }) => (last_characters === "" ? "" : `…${last_characters}`), dropOrder: 3 },
  { header: "STATE", cell: ({ state }) => state, paint: (text, style, { state }) => style[PAINT[state]](text) },
  {
    header: "RESTS UNTIL",
    cell: ({ resumes_at }) => (resumes_at === null ? "" : formatDayTime(resumes_at)),
    plain: ({ resumes_at }) => formatRfc3339(resumes_at),
    dropOrder: 2,
  },
  { header: "WEIGHT", cell: ({ weight }) => String(weight), align: "right", dropOrder: 4 },
  { header: "RUNNING", cell: ({ in_flight }) => String(in_flight), align: "right", dropOrder: 5 },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
