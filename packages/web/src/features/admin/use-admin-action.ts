import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { errorMessage } from "#/lib/error-message.ts";

type SuccessToast = { title: string; undo?: () => void };

/**
 * Returns a function that runs an action, shows a toast for its result and refetches the admin lists. It resolves to
 * whether the action succeeded.
 */
export function useAdminAction() {
  const client = useQueryClient();
  const toast = useToast();
  return async (action: () => PromiseLike<unknown>, { title, undo }: SuccessToast): Promise<boolean> => {
    try {
      await action();
      toast({ title, ...(undo && { action: { label: t`Undo`, run: undo } }) });
      return true;
    } catch (error) {
      toast({ title: errorMessage(error), variant: "destructive" });
      return false;
    } finally {
      await client.invalidateQueries({ queryKey: ["admin"] });
    }
  };
}

/**
 * Returns a function that confirms a saved form with a toast and refetches the admin lists. The form shows errors
 * itself.
 */
export function useNotifySaved() {
  const client = useQueryClient();
  const toast = useToast();
  return async (title: string): Promise<void> => {
    toast({ title, variant: "success" });
    await client.invalidateQueries({ queryKey: ["admin"] });
  };
}
