import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, keepApiToken, request } from "../api/request.ts";
import { Button } from "../parts/button.tsx";
import { Input } from "../parts/field.tsx";

/** Asks for an API token, which this tab keeps. */
export function LoginPage() {
  const { to } = useSearch({ strict: false });
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [problem, setProblem] = useState<string>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    keepApiToken(String(new FormData(event.currentTarget).get("token")).trim());
    try {
      await request("v1/events", { query: { limit: 1 } });
    } catch (error) {
      keepApiToken(null);
      setProblem(error instanceof ApiError ? error.message : String(error));
      return;
    }
    queryClient.clear();
    // Only a place within the dashboard: never an address that somebody else put into a link.
    navigate({ to: to?.startsWith("/") && !to.startsWith("//") ? to : "/events", search: {} as never });
  };
  return (
    <main className="flex min-h-full items-center justify-center p-4">
      <form onSubmit={submit} className="flex w-full max-w-sm flex-col gap-4 rounded-md border p-6">
        <h1 className="text-lg font-semibold">Log in to svc</h1>
        <Input
          label="API token"
          name="token"
          type="password"
          required
          error={problem}
          hint="Kept in this tab until you close it."
        />
        <Button type="submit" look="primary">
          Log in
        </Button>
      </form>
    </main>
  );
}
