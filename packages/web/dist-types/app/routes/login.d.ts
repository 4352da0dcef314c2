export default function LoginPage(): import("react").JSX.Element;
