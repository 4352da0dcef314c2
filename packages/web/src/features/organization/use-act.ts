import { useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { faultOf } from "#/lib/fault.ts";

type Done = { title: string; undo?: { label: string; run(): void } };

/**
 * Returns a function that runs a request, shows its outcome in a toast and refetches the organization. The function
 * returns whether the request succeeded.
 */
export function useAct() {
  const client = useQueryClient();
  const toast = useToast();
  return async (work: () => PromiseLike<unknown>, { title, undo }: Done): Promise<boolean> => {
    try {
      await work();
      toast({ title, ...(undo && { action: undo }) });
      return true;
    } catch (error) {
      toast({ title: faultOf(error).message, variant: "destructive" });
      return false;
    } finally {
      await client.invalidateQueries({ queryKey: ["organization"] });
    }
  };
}
