import type { ApiKey } from "./queries.ts";
type Props = {
    keys: readonly ApiKey[];
    rename(key: ApiKey): void;
    setDisabled(key: ApiKey, disabled: boolean): void;
    remove(key: ApiKey): void;
};
export declare function KeyTable({ keys, rename, setDisabled, remove }: Props): import("react").JSX.Element;
export {};
