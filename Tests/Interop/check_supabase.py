#!/usr/bin/env python3
"""Uses a server with the official Python client of Supabase.

usage: check_supabase.py <base URL>
"""

import asyncio

from postgrest import APIError
from supabase import acreate_client, create_client
from supabase_auth.errors import AuthApiError

from checks import Checks, account, child, equal, raised

checks = Checks("supabase")
OTHER_USER = "b0000000-0000-4000-8000-000000000002"


def question(conversation: str) -> dict:
    context = {"age": 8, "temperament": "spirited", "goals": ["sleep"], "topics": []}
    return {"conversationId": conversation, "message": "Why?", "childContext": context}


def rows(url: str, who: dict[str, str]):
    client = create_client(url, who["key"])
    with checks.check("a wrong password is refused"):
        wrong = {"email": who["email"], "password": "wrong"}
        raised(AuthApiError, lambda: client.auth.sign_in_with_password(wrong), code="invalid_credentials", status=400)
    with checks.check("sign in"):
        session = client.auth.sign_in_with_password({"email": who["email"], "password": who["password"]})
        equal(session.user.id, who["user"])
    with checks.check("the user, and a session that is refreshed"):
        equal(client.auth.get_user().user.email, who["email"])
        before = client.auth.get_session().access_token
        after = client.auth.refresh_session().session.access_token
        equal(after != before, True)
    children = lambda: client.table("children")  # noqa: E731
    with checks.check("insert one row, and several"):
        equal(children().insert(child(who["user"], "Robin")).execute().data[0]["name"], "Robin")
        more = [child(who["user"], "Ada", 7), child(who["user"], "Zoë & Co.", 12)]
        equal([row["age"] for row in children().insert(more).execute().data], [7, 12])
    with checks.check("select with filters and order"):
        query = children().select("name,age").gte("age", 8).neq("name", "Eve").order("age", desc=True)
        equal(query.execute().data, [{"name": "Zoë & Co.", "age": 12}, {"name": "Robin", "age": 8}])
        equal(children().select("name").in_("name", ["Ada", "Eve"]).execute().data, [{"name": "Ada"}])
        equal(children().select("name").eq("name", "Zoë & Co.").execute().data, [{"name": "Zoë & Co."}])
        either = children().select("age").or_("age.eq.7,name.like.Rob*").order("age").execute().data
        equal(either, [{"age": 7}, {"age": 8}])
    with checks.check("limit, range and count"):
        page = children().select("age", count="exact").order("age").range(1, 1).execute()
        equal((page.data, page.count), ([{"age": 8}], 3))
        equal(children().select("*", count="exact", head=True).execute().count, 3)
    with checks.check("single row, no row and an optional row"):
        equal(children().select("age").eq("name", "Ada").single().execute().data, {"age": 7})
        none = children().select("age").eq("name", "Eve")
        raised(APIError, lambda: none.single().execute(), code="PGRST116", details="The result contains 0 rows")
        equal(children().select("age").eq("name", "Eve").maybe_single().execute(), None)
    with checks.check("update, and nothing to update"):
        equal(children().update({"age": 9}).eq("name", "Robin").execute().data[0]["age"], 9)
        equal(children().update({"age": 9}).eq("name", "Eve").execute().data, [])
    with checks.check("upsert"):
        again = child(who["user"], "Ada", 10)
        changed = children().upsert(again, on_conflict="user_id,name").execute().data
        equal([(row["name"], row["age"]) for row in changed], [("Ada", 10)])
    with checks.check("a duplicate is refused"):
        raised(APIError, lambda: children().insert(child(who["user"], "Ada")).execute(), code="23505")
    with checks.check("a row that a check forbids is refused"):
        raised(APIError, lambda: children().insert(child(who["user"], "Kim", 5)).execute(), code="23514")
    with checks.check("a row of another user is refused"):
        raised(
            APIError, lambda: children().insert(child(OTHER_USER, "Kim")).execute(), code="42501",
            message='new row violates row-level security policy for table "children"')  # fmt: skip
    with checks.check("a missing table is refused"):
        raised(APIError, lambda: client.table("toys").select("*").execute(), code="PGRST205")
    with checks.check("delete"):
        equal(children().delete().eq("name", "Zoë & Co.").execute().data[0]["age"], 12)
        equal(len(children().select("id").execute().data), 2)
    with checks.check("a function's stream"):
        child_id = children().select("id").eq("name", "Ada").single().execute().data["id"]
        conversation = {"user_id": who["user"], "child_id": child_id}
        started = client.table("conversations").insert(conversation).execute().data[0]["id"]
        stream = client.functions.invoke("send-message", {"body": question(started)}).decode()
        equal(stream.startswith("data: ") and stream.endswith("\n\n"), True)
        equal(stream.count("data: ") > 3, True)
        equal('"isDone":true' in stream.splitlines()[-2], True)
        said = client.table("messages").select("role").eq("conversation_id", started).order("created_at").execute()
        equal([row["role"] for row in said.data], ["user", "assistant"])
    with checks.check("sign out, and receive no more rows"):
        client.auth.sign_out()
        equal(client.auth.get_session(), None)
        equal(children().select("*").execute().data, [])


async def changes(url: str, who: dict[str, str]):
    client = await acreate_client(url, who["key"])
    await client.auth.sign_in_with_password({"email": who["email"], "password": who["password"]})
    heard: asyncio.Queue = asyncio.Queue()
    channel = client.channel("children")
    channel.on_postgres_changes("*", schema="public", table="children", callback=heard.put_nowait)
    subscribed = asyncio.get_running_loop().create_future()

    def state(status, error):
        if not subscribed.done():
            subscribed.set_result((status.value, error))

    async def next_change():
        return (await asyncio.wait_for(heard.get(), 10))["data"]

    table = client.table("children")
    with checks.check("a subscription"):
        await channel.subscribe(state)
        equal(await asyncio.wait_for(subscribed, 10), ("SUBSCRIBED", None))
    with checks.check("it receives an insert"):
        row = (await table.insert(child(who["user"], "Kim")).execute()).data[0]
        change = await next_change()
        equal((change["type"].value, change["record"]), ("INSERT", row))
    with checks.check("it receives an update"):
        await client.table("children").update({"age": 11}).eq("id", row["id"]).execute()
        change = await next_change()
        equal((change["type"].value, change["record"]["age"]), ("UPDATE", 11))
        equal(change["old_record"], {"id": row["id"]})
    with checks.check("it receives a delete"):
        await client.table("children").delete().eq("id", row["id"]).execute()
        change = await next_change()
        equal((change["type"].value, change["old_record"]), ("DELETE", {"id": row["id"]}))
    with checks.check("it can be ended"):
        await client.remove_all_channels()
        await client.realtime.close()


def healthy(url: str):
    url = url.rstrip("/")
    rows(url, account(url))
    asyncio.run(changes(url, account(url)))


if __name__ == "__main__":
    checks.main(__doc__, healthy)
