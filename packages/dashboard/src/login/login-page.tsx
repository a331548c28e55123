import { BeingBuilt } from "../parts/being-built.tsx";

export function LoginPage() {
  return <BeingBuilt title="Login" />;
}
