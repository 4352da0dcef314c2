import { useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { errorMessage } from "#/lib/error-message.ts";

type SuccessToast = { title: string; undo?: { label: string; run(): void } };

/**
 * Returns a function that runs a request, shows its outcome in a toast and refetches the organization. The function
 * returns whether the request succeeded.
 */
export function useOrganizationAction() {
  const client = useQueryClient();
  const toast = useToast();
  return async (request: () => PromiseLike<unknown>, { title, undo }: SuccessToast): Promise<boolean> => {
    try {
      await request();
      toast({ title, ...(undo && { action: undo }) });
      return true;
    } catch (error) {
      toast({ title: errorMessage(error), variant: "destructive" });
      return false;
    } finally {
      await client.invalidateQueries({ queryKey: ["organization"] });
    }
  };
}
