import { useState } from "react";

/** The selected rows of a list. */
export type Selection = {
  ids: readonly string[];
  has(id: string): boolean;
  set(id: string, on: boolean): void;
  setAll(ids: readonly string[], on: boolean): void;
  /** Selects these rows and no other. */
  replace(ids: readonly string[]): void;
  clear(): void;
};

/** Selected rows of a list; the selection survives a change of page. */
export function useSelection(): Selection {
  const [ids, setIds] = useState<readonly string[]>([]);
  const setAll = (changedIds: readonly string[], on: boolean) =>
    setIds((current) => {
      const others = current.filter((id) => !changedIds.includes(id));
      return on ? [...others, ...changedIds] : others;
    });
  return {
    ids,
    has: (id) => ids.includes(id),
    set: (id, on) => setAll([id], on),
    setAll,
    replace: setIds,
    clear: () => setIds([]),
  };
}
