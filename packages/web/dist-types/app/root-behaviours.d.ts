/** What happens on any page: an `error` in the address is shown, a `referrer` is kept, and both leave the address. */
export declare function RootBehaviours(): import("react").JSX.Element;
