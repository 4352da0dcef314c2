import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { useToast } from "#/components/ui/toast.tsx";
import { faultWords } from "./fault-words.ts";

type Done = { title: string; undo?: () => void };

/** Does something, says how it went, and reads the admin's lists anew. Answers whether it was done. */
export function useAct() {
  const client = useQueryClient();
  const toast = useToast();
  return async (work: () => PromiseLike<unknown>, { title, undo }: Done): Promise<boolean> => {
    try {
      await work();
      toast({ title, ...(undo && { action: { label: t`Undo`, run: undo } }) });
      return true;
    } catch (error) {
      toast({ title: faultWords(error), variant: "destructive" });
      return false;
    } finally {
      await client.invalidateQueries({ queryKey: ["admin"] });
    }
  };
}

/** After something was saved by a form, which shows itself what goes wrong: says so, and reads the lists anew. */
export function useSaved() {
  const client = useQueryClient();
  const toast = useToast();
  return async (title: string): Promise<void> => {
    toast({ title, variant: "success" });
    await client.invalidateQueries({ queryKey: ["admin"] });
  };
}
