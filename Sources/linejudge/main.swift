print("linejudge")
