import type { StorePull } from "@feather/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { modelQuery } from "#/entities/models/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { queries } from "#/lib/queries.ts";
import { pullsQuery } from "./queries.ts";

/**
 * Returns the last download of a model for all or for the user's organization, undefined where there is none, and when it was read, in milliseconds since 1970. Once
 * it is done, the model can be called: its page and the requests for it are then loaded again.
 */
export function usePull(id: string) {
  const { data, dataUpdatedAt } = useQuery(pullsQuery);
  const client = useQueryClient();
  const { user } = useUser();
  const isVisible = ({ organization_id }: StorePull) =>
    organization_id === null || organization_id === user?.organization.id;
  const pull = data?.items.find((one) => one.model_id.toLowerCase() === id.toLowerCase() && isVisible(one));
  const state = pull?.state;
  useEffect(() => {
    if (state !== "done") return;
    void client.invalidateQueries({ queryKey: modelQuery(id).queryKey });
    void client.invalidateQueries({ queryKey: queries.admin.models.requests.key() });
  }, [client, id, state]);
  return { pull, updatedAt: dataUpdatedAt };
}
