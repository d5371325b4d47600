#!/usr/bin/env python3
"""Uses the Storage of a server with the official Python client of Supabase.

usage: check_storage.py <base URL>
"""

import httpx
from storage3.exceptions import StorageApiError
from supabase import create_client

from checks import Checks, equal, raised

checks = Checks("storage3")


def storage(url: str):
    client = create_client(url, "service-key").storage
    bucket = client.from_("interop")
    with checks.check("create, change, list and read a bucket"):
        options = {"public": True, "file_size_limit": 1_000_000, "allowed_mime_types": ["text/*"]}
        client.create_bucket("interop", options=options)
        client.update_bucket("interop", {"public": True, "allowed_mime_types": None})
        equal(client.get_bucket("interop").allowed_mime_types, None)
        equal([found.id for found in client.list_buckets()], ["interop"])
    with checks.check("upload, replace and download"):
        bucket.upload("f/a.txt", b"one", {"content-type": "text/plain", "cache-control": "60"})
        bucket.upload("f/a.txt", b"two", {"upsert": "true"})
        equal(bucket.download("f/a.txt"), b"two")
        bucket.update("f/a.txt", b"three", {"metadata": {"of": "pat"}})
        equal(bucket.info("f/a.txt")["metadata"], {"of": "pat"})
    with checks.check("an existing object and a missing one"):
        raised(StorageApiError, lambda: bucket.upload("f/a.txt", b"four"), code="Duplicate", status="409")
        raised(StorageApiError, lambda: bucket.create_signed_url("none", 60), code="not_found", status="404")
        equal([bucket.exists("f/a.txt"), bucket.exists("f/b.txt")], [True, False])
    with checks.check("copy, move and list"):
        bucket.copy("f/a.txt", "f/b.txt")
        bucket.move("f/b.txt", "g/c.txt")
        equal([entry["name"] for entry in bucket.list()], ["f", "g"])
        equal([entry["name"] for entry in bucket.list("g")], ["c.txt"])
    with checks.check("public and signed URLs"):
        equal(httpx.get(bucket.get_public_url("f/a.txt")).content, b"three")
        signed = bucket.create_signed_url("f/a.txt", 60, {"download": "x.txt"})["signedURL"]
        equal("x.txt" in httpx.get(signed).headers["content-disposition"], True)
        equal([one["error"] is None for one in bucket.create_signed_urls(["f/a.txt", "none"], 60)], [True, False])
        upload = bucket.create_signed_upload_url("u/x.txt")
        bucket.upload_to_signed_url(upload["path"], upload["token"], b"up", {"content-type": "text/plain"})
        equal(bucket.download("u/x.txt"), b"up")
    with checks.check("remove, empty and delete"):
        equal([one["name"] for one in bucket.remove(["f/a.txt", "none"])], ["f/a.txt"])
        raised(StorageApiError, lambda: client.delete_bucket("interop"), code="ResourceNotEmpty", status="409")
        client.empty_bucket("interop")
        client.delete_bucket("interop")
        equal(client.list_buckets(), [])


checks.main(__doc__, storage)
