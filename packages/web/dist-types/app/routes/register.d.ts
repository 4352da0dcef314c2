export default function RegisterPage(): import("react").JSX.Element;
