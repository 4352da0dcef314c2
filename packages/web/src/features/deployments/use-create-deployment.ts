import { isApiError } from "@feather/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { feather } from "#/lib/feather.ts";
import type { DeploymentBody } from "./draft.ts";
import { deploymentsQuery } from "./queries.ts";

/**
 * Returns a function that creates a deployment. The idempotency key stays the same until the server has responded, so
 * that a retry after a lost connection creates only one.
 */
export function useCreateDeployment() {
  const client = useQueryClient();
  const attempt = useRef<{ text: string; key: string } | null>(null);
  return async (body: DeploymentBody) => {
    const text = JSON.stringify(body);
    if (attempt.current?.text !== text) attempt.current = { text, key: crypto.randomUUID() };
    try {
      const created = await feather.deployments.create(body, { idempotencyKey: attempt.current.key });
      attempt.current = null;
      void client.invalidateQueries({ queryKey: deploymentsQuery.queryKey });
      return created;
    } catch (error) {
      if (isApiError(error) && error.status < 500) attempt.current = null;
      throw error;
    }
  };
}
